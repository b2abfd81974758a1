import { barChart, type Sample } from './sample.ts';

const prose = { editorHide: true };
const airports = [
  'ATL(Atlanta)',
  'ORD(Chicago)',
  'DFW(Dallas)',
  'LAX(Los Angeles)',
  'PHX(Phoenix)',
].join('|');

/** Three million flights of early 2001: SQL, charts, a form, and data exchange with Python. */
export const flightDelays: Sample = {
  path: 'Samples/Flight delays',
  paragraphs: [
    {
      text: `%md
# Flight delays, first half of 2001

Three million domestic flights in the United States, one row each: departure, arrival delay in
minutes, distance in miles, origin and destination. A flight is **on time** if it arrives within
15 minutes of its schedule.

Run all paragraphs with *Run all*, or one at a time with \`Shift+Enter\`.`,
      config: prose,
    },
    {
      title: 'Names for the files',
      text: `%sql
create or replace view flights as from 'flights-3m.parquet';
create or replace view airports as from 'airports.csv'`,
      config: { title: true },
    },
    {
      title: 'Busiest airports',
      text: `%sql
select f.origin, a.city, count(*) as flights,
       round(100 * avg((f.delay <= 15)::int), 1) as on_time_pct,
       round(avg(f.delay), 1) as avg_delay_min,
       round(avg(f.distance)) as avg_miles
from flights f join airports a on a.iata = f.origin
group by all having count(*) > 20000
order by flights desc`,
      config: { title: true, lineNumbers: true },
    },
    {
      title: 'Average delay by hour of departure',
      text: `%sql
select hour(date) as hour, round(avg(delay), 2) as avg_delay_min
from flights
group by all
order by hour`,
      config: {
        title: true,
        colWidth: 6,
        results: barChart(['hour', 0], ['avg_delay_min', 1]),
      },
    },
    {
      title: 'Flights by weekday and airport',
      text: `%sql
select dayname(date) as weekday, origin, count(*) as flights
from flights
where origin in ('ATL', 'ORD', 'DFW')
group by weekday, origin, isodow(date)
order by isodow(date), origin`,
      config: {
        title: true,
        colWidth: 6,
        results: barChart(['weekday', 0], ['flights', 2], ['origin', 1], false),
      },
    },
    {
      title: 'Worst routes from one airport',
      text: `%sql
select destination, count(*) as flights, round(avg(delay), 1) as avg_delay_min
from flights
where origin = '\${origin(From)=ORD,${airports}}'
group by all having count(*) >= \${flights(At least)=500}
order by avg_delay_min desc
limit 12`,
      config: { title: true },
    },
    {
      text: `%md
## The same data in Python

SQL tables are available in Python as DataFrames, and Python can store DataFrames as SQL tables.
The first Python paragraph on a new machine creates its environment, which can take a few minutes.`,
      config: prose,
    },
    {
      title: 'Distribution of delays',
      text: `%python
import matplotlib.pyplot as plt

delays = z.sql("select delay from flights using sample 200000 rows")["delay"]
figure, axes = plt.subplots(figsize=(9, 3.2), layout="constrained")
axes.hist(delays.clip(-40, 120), bins=80, color="#388ea8")
axes.axvline(15, color="#db6800", linewidth=1.5)
axes.set(xlabel="minutes late", ylabel="flights in the sample")
axes.spines[["top", "right"]].set_visible(False)
print(f"{(delays <= 15).mean():.1%} of the sampled flights were on time. "
      f"The median delay is {delays.median():.0f} minutes.")
plt.show()`,
      config: { title: true },
    },
    {
      title: 'Delays by distance, stored as an SQL table',
      text: `%python
import pandas as pd

flights = z.sql("select distance, delay from flights")
limits = [0, 250, 500, 1000, 2000, 10000]
labels = ["to 250", "to 500", "to 1000", "to 2000", "over 2000"]
band = pd.cut(flights["distance"], limits, labels=labels)
by_distance = (
    flights.groupby(band, observed=True)["delay"]
    .agg(flights="count", avg_delay_min="mean")
    .round(2)
    .reset_index()
)
by_distance["distance"] = by_distance["distance"].astype(str)
z.put("delay_by_distance", by_distance)
by_distance`,
      config: { title: true, colWidth: 6 },
    },
    {
      title: 'The same table in SQL',
      text: `%sql
from delay_by_distance`,
      config: {
        title: true,
        colWidth: 6,
        results: barChart(['distance', 0], ['avg_delay_min', 2]),
      },
    },
  ],
};
