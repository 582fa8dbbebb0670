import { dataDirOf, openDataDir, StartError } from '@gatehouse/server/data-dir'
import { Product } from './keeper/keep-product.ts'

// The logs hold what matters: a server whose output nobody reads any more goes on, and ends as it should.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

// What is written holds password hashes and documents: for this account's eyes alone.
process.umask(0o077)

try {
  // Held until this process ends: the parts may be started again, and no other server may come in between.
  const dataDir = openDataDir(dataDirOf(process.env))
  const product = new Product({
    hasGateway: process.env['ROLE']?.trim() !== 'control',
    say: (line) => process.stdout.write(`${line}\n`),
    complain: (line) => process.stderr.write(`${line}\n`),
    exit: (code) => {
      dataDir.release()
      process.exit(code)
    },
  })
  process.on('SIGTERM', () => product.stop(0))
  process.on('SIGINT', () => product.stop(0))
  process.on('SIGHUP', () => product.hangUp())
} catch (error) {
  process.stderr.write(`${error instanceof StartError ? error.message : (error as Error).stack}\n`)
  process.exit(1)
}
