import type { Sample } from './sample.ts';

/**
 * The command language with real tables: a catalogue, a profile, relationships, validation, a job
 * with its history, and an export.
 */
export const commandLanguage: Sample = {
  path: 'Samples/Command language',
  paragraphs: [
    {
      text: `%md
# The command language

\`%magpie\` manages a catalogue of repositories, schemas, tables, projects, jobs and validators. Its
statements run on this server's engine. \`help;\` lists them. Features that need several machines,
such as streams, report that they are not available.

Run all paragraphs with *Run all*.`,
      config: { editorHide: true },
    },
    {
      title: 'A schema with tables from files',
      text: `%magpie
create or replace schema {"name": "weather", "description": "Seattle and the airports"};
use schema weather;
create or replace table observations from file "seattle-weather.csv" {"header": true}
  in data source files;
create or replace table airports from file "airports.csv" {"header": true} in data source files;
create or replace table daily from sql (
  select date, weather as kind, temp_max, temp_max - temp_min as spread
  from weather.observations
);
list tables in schema weather;`,
      config: { title: true },
    },
    {
      title: 'Profile of a table',
      text: '%magpie\nprofile table weather.observations;',
      config: { title: true },
    },
    {
      title: 'Relationships between tables',
      text: '%magpie\ndiscover relationships in schema weather;',
      config: { title: true },
    },
    {
      title: 'Validation of rows',
      text: `%magpie
create or replace validation suite {"name": "weather_checks", "description": "Plausible days"};
alter validation suite weather_checks add validator {
  "validatorType": "numericalRange", "name": "rain_is_not_negative",
  "fields": {"fieldSelectorType": "Single", "fieldName": "precipitation"}, "lowerBound": 0
};
alter validation suite weather_checks add validator {
  "validatorType": "inList", "name": "known_weather",
  "fields": {"fieldSelectorType": "Single", "fieldName": "weather"},
  "validValues": ["sun", "rain", "fog", "snow", "drizzle"]
};
alter validation suite weather_checks add validator {
  "validatorType": "numericalRange", "name": "no_heat",
  "fields": {"fieldSelectorType": "List", "fieldNames": ["temp_max", "temp_min"]},
  "upperBound": 35
};
validate table weather.observations with suite weather_checks;`,
      config: { title: true },
    },
    {
      title: 'A job with three tasks',
      text: `%magpie
create or replace project {"name": "seattle"};
use project seattle;
create or replace job {
  "name": "monthly", "description": "Rain by month", "allowConcurrentRuns": false
};
alter job monthly add sql task {
  "name": "rain_by_month", "targetSchemaName": "weather", "targetTableName": "rain_by_month",
  "saveMode": "Replace"
} with {
  select date_trunc('month', date)::date as month, round(sum(precipitation), 1) as rain_mm
  from weather.observations group by all order by month
};
alter job monthly add python task {"name": "announce", "predecessorName": "rain_by_month"}
  with script $$ print("rain by month is ready") $$;
alter job monthly add magpie task {"name": "check", "predecessorName": "rain_by_month"}
  with script $$ profile table weather.rain_by_month; $$;
alter job monthly add schedule {
  "name": "first_of_month", "expression": "0 0 5 1 * ?", "timeZone": "America/Los_Angeles"
};
describe job seattle.monthly;`,
      config: { title: true },
    },
    {
      title: 'A run of the job',
      text: '%magpie\nexec job seattle.monthly blocking;',
      config: { title: true },
    },
    {
      title: 'History of the job',
      text: '%magpie\nshow history of job seattle.monthly;',
      config: { title: true },
    },
    {
      title: 'The result and its export',
      text: `%magpie
select * from weather.rain_by_month;
export result {"format": "DelimitedText"};`,
      config: { title: true },
    },
  ],
};
