import { Component, signal } from '@angular/core';
import { TidingJobGraph, TidingParagraph } from '@tiding/elements/angular';

@Component({
  selector: 'app-root',
  imports: [TidingJobGraph, TidingParagraph],
  template: `
    <h1>Weekly figures</h1>
    <button type="button" (click)="report.run()">Run</button>
    <tiding-paragraph
      #report
      server="https://notes.example.org"
      note="2XAB9NJRE"
      paragraph="20261121-070135_35893072"
      look="embed"
      [token]="token"
      (tiding-run-finished)="status.set($event.detail.status)"
    />
    <p>Last run: {{ status() }}</p>
    <tiding-job-graph [data]="job" />
  `,
})
export class App {
  readonly status = signal('not run yet');
  readonly token = () => fetch('/my-backend/token').then((response) => response.text());
  readonly job = {
    rootNodeId: 'flights.daily',
    nodes: [
      { id: 'flights.daily.fetch', task: { name: 'fetch' } },
      { id: 'flights.daily.build', task: { name: 'build', predecessor: 'fetch' } },
    ],
  };
}
