/** Scrolling with the wheel, as a user does. */

/** Number of wheel events, the delay between them in ms, and their distance in px. */
const TURNS = 90;
const TURN_MS = 16;
const TURN_PX = 240;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Turns the wheel over a page; returns the times between its frames meanwhile, in ms. */
export async function turnWheel(page) {
  await page.evaluate(() => void window.bench.frameTimes());
  await page.mouse.move(700, 500);
  for (let turn = 0; turn < TURNS; turn += 1) {
    await page.mouse.wheel(0, TURN_PX);
    await pause(TURN_MS);
  }
  return page.evaluate(() => window.bench.frameTimes());
}
