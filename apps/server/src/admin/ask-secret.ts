import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError } from './command.ts'

/** Asks a question at the terminal; nothing of the answer is shown. Throws a CommandError where it is given up. */
export async function askSecret(question: string): Promise<string> {
  // It writes what is typed to its output: to none.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  // From here on the terminal shows nothing itself.
  process.stderr.write(question)
  try {
    const answer = once(lines, 'line') as Promise<[string]>
    const end = Promise.race([once(lines, 'close'), once(lines, 'SIGINT')]).then((): [string] => {
      throw new CommandError('Nothing was changed.')
    })
    end.catch(() => {})
    const [line] = await Promise.race([answer, end])
    return line
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
