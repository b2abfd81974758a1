/** Counts what a page loads from now on. The returned figures grow. */
export async function countTraffic(page) {
  const network = await page.context().newCDPSession(page);
  const traffic = { kB: 0, requests: 0 };
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    traffic.kB += encodedDataLength / 1e3;
    traffic.requests += 1;
  });
  await network.send('Network.enable');
  return traffic;
}
