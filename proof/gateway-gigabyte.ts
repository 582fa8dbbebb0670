import { streamBytes } from '../apps/gateway/src/testing/stream-bytes.ts'

// The long form of apps/gateway/src/calls/streaming.test.ts: 1 GiB up and down in constant memory.
const gibibyte = 1024 ** 3
const { uploadedBytes, downloadedBytes, grownBytes } = await streamBytes(gibibyte)
console.log({ uploadedBytes, downloadedBytes, grownMiB: Math.round(grownBytes / 1024 / 1024) })
if (uploadedBytes !== gibibyte || downloadedBytes !== gibibyte || grownBytes > 192 * 1024 ** 2) {
  process.exitCode = 1
}
