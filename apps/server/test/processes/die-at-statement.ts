import { writeFileSync } from 'node:fs'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { fillDisk } from '../places/small-disk.ts'
import { onStatement } from '../counting/statement-hook.ts'

// Preloaded (--import) by tests that end a process, or fill its disk, before one of the statements that its threads
// execute on SQLite. Without one of them, it notes at SIGTERM how many there were.

const key = 'statements'
if (isMainThread) setEnvironmentData(key, new SharedArrayBuffer(4))
const count = new Int32Array(getEnvironmentData(key) as unknown as SharedArrayBuffer)
const { TEST_KILL_AT, TEST_FULL_AT, TEST_FULL_DISK = '', TEST_COUNT_FILE } = process.env

onStatement(() => {
  const number = Atomics.add(count, 0, 1) + 1
  if (number === Number(TEST_KILL_AT)) process.kill(process.pid, 'SIGKILL')
  if (number === Number(TEST_FULL_AT)) fillDisk(TEST_FULL_DISK)
})
if (isMainThread && TEST_COUNT_FILE)
  process.once('SIGTERM', () => writeFileSync(TEST_COUNT_FILE, String(count[0])))
