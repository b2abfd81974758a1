import { barChart, type Sample } from './sample.ts';

/** Four years of weather: a small note that uses several interpreters. */
export const seattleWeather: Sample = {
  path: 'Samples/Seattle weather',
  paragraphs: [
    {
      text: `%md
# Seattle weather, 2012 to 2015

One row per day: precipitation (mm), maximum and minimum temperature (°C), wind (m/s) and the kind
of weather.`,
      config: { editorHide: true },
    },
    {
      title: 'Days by kind of weather and year',
      text: `%sql
select year(date) as year, weather, count(*) as days
from 'seattle-weather.csv'
group by all
order by year, weather`,
      config: {
        title: true,
        results: barChart(['year', 0], ['days', 2], ['weather', 1], true),
      },
    },
    {
      title: 'Warmest days',
      text: `%sql
select date, temp_max, wind, weather
from 'seattle-weather.csv'
order by temp_max desc
limit 10`,
      config: { title: true, colWidth: 6 },
    },
    {
      title: 'Monthly mean of daily highs',
      text: `%js
const { readFileSync } = await import('node:fs');
const text = readFileSync('seattle-weather.csv', 'utf8');
const [header, ...lines] = text.trim().split('\\n').map((line) => line.split(','));
const at = Object.fromEntries(header.map((name, index) => [name, index]));
const months = new Map();
for (const line of lines) {
  const month = Number(line[at.date].slice(5, 7));
  const entry = months.get(month) ?? { month, days: 0, sum: 0 };
  entry.days += 1;
  entry.sum += Number(line[at.temp_max]);
  months.set(month, entry);
}
[...months.values()]
  .sort((a, b) => a.month - b.month)
  .map(({ month, days, sum }) => ({ month, days, mean_high: Number((sum / days).toFixed(1)) }))`,
      config: { title: true, colWidth: 6 },
    },
    {
      title: 'The first lines of the file',
      text: `%python
print(open("seattle-weather.csv").read(180))`,
      config: { title: true },
    },
    {
      title: 'Choose a year',
      text: `%angular
<label for="year">Year</label>
<input id="year" type="range" min="2012" max="2015" ng-model="year">
<b>{{year}}</b>`,
      config: { title: true, editorHide: true, colWidth: 4 },
    },
    {
      title: 'The same year in Python',
      text: `%python
import pandas as pd

# The slider and this code share the value. Move the slider and run this paragraph again.
year = z.angular("year")
if year is None:
    year = 2012
    z.angularBind("year", year)
days = pd.read_csv("seattle-weather.csv", parse_dates=["date"])
kinds = days[days["date"].dt.year == int(year)].groupby("weather")
kinds.agg(days=("date", "size"), mean_high=("temp_max", "mean")).round(1).reset_index()`,
      config: { title: true, colWidth: 8 },
    },
  ],
};
