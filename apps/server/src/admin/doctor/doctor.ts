import { checksOf } from '../checks.ts'
import type { AdminCommand } from '../command.ts'
import { databaseChecks } from './database-checks.ts'
import { machineChecks } from './machine-checks.ts'
import { mends } from './mends.ts'
import { workChecks } from './work-checks.ts'

export const doctor: AdminCommand = {
  summary:
    'looks at the whole installation as an operator would, and says what mends what it finds',
  options: {
    all: { does: 'what is in order too' },
    json: { does: 'as JSON: a list of objects with name, state, words and mend' },
  },
  help: [
    'The checks of `check`, and beside them sizes, logs, certificates, servers, lanes, alarms, retention and growth.\n' +
      'It changes nothing, and the server may run. The exit code is 1 where something has failed, else 0.',
  ],
  async run({ settings, say, options }) {
    const found = []
    const more = { machine: machineChecks, database: { ...databaseChecks, ...workChecks } }
    for await (const [name, { state, words, mend }] of checksOf(settings, more))
      found.push({
        name,
        state,
        words,
        mend: state === 'ok' ? null : (mend ?? mends[name] ?? null),
      })
    const isFailed = found.some(({ state }) => state === 'failed')
    if (options['json'] === true) {
      say(JSON.stringify(found, null, 2))
      return isFailed ? 1 : 0
    }
    for (const { name, state, words, mend } of found) {
      if (state === 'ok' && options['all'] !== true) continue
      say(`${state.padEnd(7)}  ${name.padEnd(12)} ${words}`)
      if (mend !== null) say(`${' '.repeat(9)}→ ${mend}`)
    }
    const inOrder = found.filter(({ state }) => state === 'ok').length
    say(`${inOrder} of ${found.length} checks are in order.`)
    return isFailed ? 1 : 0
  },
}
