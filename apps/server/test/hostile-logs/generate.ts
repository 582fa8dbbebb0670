import { seededRandom, type Random } from './seeded-random.ts'

// Log files that are written badly on purpose. Each kind turns up many times, with other numbers.

export interface HostileLog {
  name: string
  bytes: Buffer
}

export interface Sizes {
  /** How many files. */
  count: number
  /** Length of the longest lines, in bytes. */
  longLineBytes: number
}

type Kind = (random: Random, sizes: Sizes) => Buffer | string

const sliceBytes = 2 * 1024 * 1024
const levels = ['DEBUG', 'INFO', 'NOTICE', 'WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY']

const heading = (random: Random, text: string) =>
  `[2026-${two(random, 1, 12)}-${two(random, 1, 28)}${random.pick([' ', 'T'])}10:${two(random, 0, 59)}:00${random.pick(
    ['', '.5', '.123456', ',001', 'Z', '+00:00', '.25-0330', ' UTC', ' Asia/Riyadh'],
  )}] ${random.pick(['local', 'production', 'a.b', 'x-1'])}.${random.pick(levels)}: ${text}`

const two = (random: Random, min: number, max: number) =>
  String(random.integer(min, max)).padStart(2, '0')

const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('')

/** Lines that look like headings; the reference knows which are. */
const phantoms = [
  '  [2026-11-21 10:00:00] local.ERROR: indented',
  '[2026-11-21 10:00:00]local.ERROR: no blank',
  '[2026-11-21 10:00:00] local.LOUD: no level',
  '[2026-11-21 10:00:00] local.ERRORS: too long a level',
  '[2026-11-21 10:00:00] ERROR: no context',
  '[2026-11-21 10:00:00] .ERROR: no context',
  '[2026-11-21 10:00:00] the job said local.Error: white space',
  '[2026-11-21 10:00:00] [pid 7] http://a.b:80 local.ERROR: text before',
  '[2026-11-21 10:00:00] \x1b[31mred\x1b[0m \t é\xe9 local.INFO: colours before',
  `[2026-11-21 10:00:00] ${'x '.repeat(507)}a.INFO: at the last place that is read`,
  `[2026-11-21 10:00:00] ${'x '.repeat(508)}a.INFO: too far away`,
  '[2026-13-21 10:00:00] local.ERROR: month 13',
  '[2026-11-32 10:00:00] local.ERROR: day 32',
  '[2026-11-21 24:00:00] local.ERROR: hour 24',
  '[2026-11-21 10:60:00] local.ERROR: minute 60',
  '[2026-11-21 10:00] local.ERROR: no seconds',
  '[2026-11-21 10:00:00.] local.ERROR: no fraction',
  '[2026-11-21 10:00:00.1234567890] local.ERROR: ten digits',
  '[2026-11-21_10:00:00] local.ERROR: underscore',
  '[2026-11-21 10:00:00 local.ERROR: not closed',
  '[2026-11-21 10:00:00) local.ERROR: closed otherwise',
  '2026-11-21 10:00:00 local.ERROR: no brackets',
  'x[2026-11-21 10:00:00] local.ERROR: not at the beginning',
  '\uFEFF[2026-11-21 10:00:00] local.ERROR: behind a byte order mark',
  '[2026-11-21 10:00:00] local.ERROR',
  '[2026-11-21 10:00:00] local.ERROR:no blank behind',
  '[2026-11-21 10:00:00] local:x.ERROR: a colon',
  '[stacktrace]',
  '[previous exception] [object] (RuntimeException(code: 0): local.CRITICAL: not a level)',
  "#0 /srv/app/vendor/x.php(12): log('[2026-11-21 10:00:00] local.ERROR: quoted')",
  '"} ',
  '[]',
  '[[2026-11-21 10:00:00] local.ERROR: twice',
  '\x1b[31m[2026-11-21 10:00:00] local.ERROR: coloured',
  '{"level":"error","time":1,"msg":"JSON in between"}',
]

const jsonLine = (random: Random, index: number) =>
  JSON.stringify({
    [random.pick(['level', 'level', 'pid'])]: random.pick([
      'info',
      'warn',
      'ERROR',
      30,
      50,
      60,
      'x',
      null,
    ]),
    time: random.pick([1_745_532_517_537, '2026-11-21T10:00:00Z', -1, 1e300, null]),
    context: random.pick(['admin', 7, {}, undefined]),
    nested: { level: 'error', list: [1, '}', '{"level":"alert"'] },
    msg: random.pick([
      `line ${index}`,
      'say "hi" \\ \n\r\t\0',
      '\x1b[31mred\x1b[0m',
      '\u202egnp.exe',
      '💣',
    ]),
  })

const kinds: Record<string, Kind> = {
  empty: () => '',
  newlines: (random) => '\n'.repeat(random.integer(1, 20_000)),
  'carriage returns': (random) =>
    random.pick(['\r', '\r\n', '\n\r']).repeat(random.integer(1, 5_000)),
  binary: (random) => random.bytes(random.integer(1, 200_000)),
  'binary with headings': (random) =>
    Buffer.concat(
      Array.from({ length: 50 }, () =>
        Buffer.concat([random.bytes(2_000), Buffer.from(`\n${heading(random, 'in it')}\n`)]),
      ),
    ),
  'nothing but zeros': (random) => Buffer.alloc(random.integer(1, 300_000)),
  'UTF-16': (random) => {
    const text = Buffer.from(
      `\uFEFF${many(200, () => `${heading(random, 'wide')}\r\n`)}`,
      'utf16le',
    )
    return random.pick([text, Buffer.from(text).swap16()])
  },
  'Latin-1 within UTF-8': (random) =>
    Buffer.concat(
      Array.from({ length: 300 }, () =>
        Buffer.from(`${heading(random, 'Grüße aus الرياض')}\n`, random.pick(['latin1', 'utf8'])),
      ),
    ),
  'cut characters': (random) =>
    Buffer.concat(
      Array.from({ length: 200 }, () => {
        const line = Buffer.from(heading(random, '€𝄞é'.repeat(20)))
        return Buffer.concat([
          line.subarray(0, line.length - random.integer(0, 9)),
          Buffer.from('\n'),
        ])
      }),
    ),
  'byte order mark': (random) => `\uFEFF${many(40, (index) => `${heading(random, `${index}`)}\n`)}`,
  'CRLF with stacks': (random) =>
    many(200, () => `${heading(random, 'x')}\r\n#0 a\r\n#1 b\r\n${random.pick(['', '\r\n'])}`),
  'phantom headings': (random) =>
    many(
      120,
      (index) =>
        `${heading(random, `real ${index}`)}\n${many(5, () => `${random.pick(phantoms)}\n`)}`,
    ),
  'phantom headings first': (random) =>
    `${many(random.integer(1, 9), () => `${random.pick(phantoms)}\n`)}${heading(random, 'real')}\n`,
  'nothing but phantoms': (random) => many(300, () => `${random.pick(phantoms.slice(0, 24))}\n`),
  'begun in the middle of a stack': (random) =>
    `${many(random.integer(1, 500), (index) => `#${index} somewhere\n`)}${many(70, () => `${heading(random, 'x')}\n`)}`,
  'no last newline': (random) =>
    many(99, (index) => `${heading(random, `${index}`)}\n`) +
    heading(random, 'the last').slice(0, random.integer(1, 60)),
  'entries around a block': (random) =>
    many(30, () => `${heading(random, 'x'.repeat(4_096 + random.integer(-90, 5)))}\n`),
  'entries around what is shown': (random) =>
    many(12, () => `${heading(random, 'é'.repeat(32_768 + random.integer(-60, 5)))}\nend\n`),
  'long stacks': (random) =>
    many(
      6,
      () =>
        `${heading(random, 'deep')}\n${many(random.integer(1, 4_000), (at) => `#${at} frame frame\n`)}`,
    ),
  'a long line': (random, { longLineBytes }) =>
    `${heading(random, 'before')}\n${heading(random, 'x'.repeat(longLineBytes))}\n${heading(random, 'behind')}\n`,
  'one long line': (random, { longLineBytes }) =>
    Buffer.alloc(longLineBytes, random.pick(['ab', '[', '{"', '\x1b[', '\\"', '\0', '\u202e'])),
  'a long line of JSON': (random, { longLineBytes }) =>
    `{"level":"info","time":1,"msg":"${random.pick(['a', '\\\\', '\\u0041', '{['].map((text) => text)).repeat(longLineBytes / 8)}"}\n${jsonLine(random, 1)}\n`,
  'headings at the edge of a slice': (random) => {
    const line = `${heading(random, 'at the edge')}\n`
    const filler = 'f'.repeat(sliceBytes - random.integer(0, line.length) - 1)
    return `${heading(random, filler)}\n${line}${line}`.slice(random.integer(0, 3) > 0 ? 0 : 3)
  },
  'lines at the edge of a slice': (random) =>
    Buffer.concat([
      Buffer.alloc(sliceBytes - random.integer(0, 3), `${'x'.repeat(random.integer(60, 900))}\n`),
      Buffer.from('\nend\n'),
    ]),
  'JSON lines': (random) =>
    `{"level":"info","time":1}\n${many(400, (index) => `${jsonLine(random, index)}\n`)}`,
  'torn JSON lines': (random) =>
    `{"level":"info","time":1}\n${many(300, (index) => {
      const line = jsonLine(random, index)
      return `${line.slice(random.integer(0, 2) * random.integer(0, 40), line.length - random.pick([0, 0, 1, 30]))}\n`
    })}`,
  'deep JSON': (random) =>
    `{"level":"info","time":1}\n{"level":"error","time":2,"x":${'['.repeat(random.integer(1, 60_000))}\n{"level":"warn","x":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_001)}\n`,
  'JSON with names that bite': () =>
    '{"level":"info","time":1}\n{"__proto__":{"level":"alert"},"level":"error","constructor":1,"msg":"x"}\n{"level":"debug","level":"alert","msg":"first counts"}\n{"toString":1,"level":"info","msg":{"a":1}}\n["level"]\n"level"\n',
  colours: (random) =>
    many(
      300,
      (index) =>
        `\x1b[1;3${index % 8}mred${index}\x1b[0m plain\x1b[K \x1b[${'1;'.repeat(random.integer(0, 30))}\n`,
    ),
  'escapes without an end': (random) =>
    many(60, () => `\x1b[${'1'.repeat(random.integer(0, 3_000))}\n`),
  'writing that turns': (random) =>
    many(
      200,
      () =>
        `${heading(random, 'user \u202enimda\u202c \u2066x\u2069 \u200f\u061c \u2028 \x07\x7f\x9b31m')}\n`,
    ),
  'many short lines': (random) => random.pick(['a\n', 'ab\n', '\n\na\n']).repeat(20_000),
  'a heading and nothing more': (random) => heading(random, ''),
  'headings without end': (random) =>
    `[2026-11-21 10:00:00] ${'a.'.repeat(random.integer(50, 5_000))}ERROR: x\n`.repeat(20),
  'zones without end': (random) =>
    `[2026-11-21 10:00:00${random.pick([' ', '+'])}${'A'.repeat(random.integer(30, 50))}] local.ERROR: x\n`.repeat(
      20,
    ),
}

/** The files of a run: every kind in turn, each from its own random numbers. */
export function* generateHostileLogs(sizes: Sizes): Generator<HostileLog> {
  const names = Object.keys(kinds)
  for (let index = 0; index < sizes.count; index++) {
    const kind = names[index % names.length] ?? ''
    const made = kinds[kind]?.(seededRandom(index), sizes) ?? ''
    yield { name: `${index} ${kind}`, bytes: Buffer.isBuffer(made) ? made : Buffer.from(made) }
  }
}
