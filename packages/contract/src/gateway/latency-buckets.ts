/** Upper bounds of the latency histogram in ms; one more bucket holds what took longer. */
export const latencyBucketsMs: readonly number[] = [
  0.5, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500,
  2_000, 3_000, 5_000, 7_500, 10_000, 15_000, 20_000, 30_000, 60_000,
]
