// Takes an exclusive lock on the given file, prints that it holds it, and holds it until standard
// input ends: when the process that started it is done, or gone. Runs on the Node of the product (node:sqlite).

import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'

const database = new DatabaseSync(process.argv[2] ?? '')
let isWaiting = false

process.stdin
  .on('end', () => {
    database.close()
    process.exit(0)
  })
  .resume()
while (!take()) {
  if (!isWaiting) console.error('Another command is setting up this folder: waiting for it.')
  isWaiting = true
  await setTimeout(200)
}
console.log('held')

function take() {
  try {
    database.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    // SQLITE_BUSY
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return false
    throw error
  }
}
