import type { AdminCommand } from './command.ts'

const callOf = (name: string, { takes = [], options = {} }: AdminCommand) =>
  [
    `npm run admin -- ${name}`,
    ...takes,
    ...(Object.keys(options).length > 0 ? ['[options]'] : []),
  ].join(' ')

const inColumns = (rows: (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

/** What `npm run admin` shows. */
export const overview = (commands: Readonly<Record<string, AdminCommand>>): string[] => [
  'Usage: npm run admin -- <command> [options]',
  '',
  ...inColumns(
    Object.entries(commands).map(([name, { takes = [], summary }]) => [
      [name, ...takes].join(' '),
      summary,
    ]),
  ),
  '',
  'It reads the same environment as the server (DATA_DIR, DATABASE_URL, APP_KEY …).',
  'npm run admin -- <command> --help explains one of them.',
]

export function helpOf(name: string, command: AdminCommand): string[] {
  const { summary, options = {}, help = [] } = command
  const rows = Object.entries(options).map(
    ([option, { value, does }]) =>
      [`--${option}${value === undefined ? '' : ` ${value}`}`, does] as const,
  )
  return [
    `Usage: ${callOf(name, command)}`,
    '',
    summary,
    ...(rows.length > 0 ? ['', ...inColumns(rows)] : []),
    ...help.flatMap((paragraph) => ['', paragraph]),
  ]
}
