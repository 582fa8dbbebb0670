import { checksOf, type Finding } from './checks.ts'
import type { AdminCommand } from './command.ts'

export const check: AdminCommand = {
  summary: 'looks at settings, database, key, disk, clock and backups, and changes nothing',
  help: [
    'One line each: ok, warning or failed. The exit code is 1 where one has failed. The server may run.',
  ],
  async run({ settings, say }) {
    let isFailed = false
    const tell = (name: string, { state, words }: Finding) => {
      isFailed ||= state === 'failed'
      say(`${state.padEnd(7)}  ${name.padEnd(9)} ${words}`)
    }
    for await (const [name, finding] of checksOf(settings)) tell(name, finding)
    return isFailed ? 1 : 0
  },
}
