import { text } from 'node:stream/consumers'
import { askSecret } from './ask-secret.ts'
import { runAdmin } from './run-admin.ts'

// The entry of `npm run admin`: `node apps/server/src/admin/admin.ts <command>` does the same without npm.

// What is written holds password hashes and documents: for this account's eyes alone.
process.umask(0o077)

process.exitCode = await runAdmin(process.argv.slice(2), {
  environment: process.env,
  say: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  readInput: () => text(process.stdin),
  askSecret: process.stdin.isTTY ? askSecret : undefined,
})
// Threads that weigh passwords, and connections that are kept, hold up no command that is done.
process.exit()
