/** For `fetch`: a connection that is kept asks the same worker of the gateway each time. */
export const ownConnection = { connection: 'close' }

/** Asks with many connections at the same time, so that each worker of the gateway gets some. */
export const askWorkers = <Seen>(ask: () => Promise<Seen>): Promise<Seen[]> =>
  Promise.all(Array.from({ length: 16 }, ask))
