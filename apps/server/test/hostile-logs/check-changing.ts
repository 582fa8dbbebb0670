import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogEntry } from '@gatehouse/contract'
import { startReader } from './reader-client.ts'
import { seededRandom, type Random } from './seeded-random.ts'

interface ChangingReport {
  answers: number
  rows: number
  peakMiB: number
  problems: string[]
}

/** Lines that show their number, the version of the file they belong to, and whether they are whole. */
function lineOf(generation: number, number: number): string {
  const said = `generation ${generation} line ${number} ${'x'.repeat((number * 37) % 300)}`
  return `[2026-11-21 10:00:00] local.INFO: ${said} ${sumOf(said)}\n`
}

const sumOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

/**
 * Reads a file while it grows, line by line and half a line at a time, while it is rotated away,
 * emptied in place and rewritten. Every answer must be one that the file could have given at some
 * moment: rows of one writing, whole, one behind the other.
 */
export async function checkChangingLog(rounds: number): Promise<ChangingReport> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gatehouse-changing-'))
  const path = join(folder, 'app.log')
  const reader = startReader()
  const report: ChangingReport = { answers: 0, rows: 0, peakMiB: 0, problems: [] }
  const random = seededRandom(7)
  const writer = createWriter(path, random)
  try {
    let underWay: Promise<void>[] = []
    for (let round = 0; round < rounds; round++) {
      writer.change()
      const query = { page: random.pick([1, 1, 2, 50]), search: random.pick(['', '', 'line 1']) }
      underWay.push(
        reader.read(path, query).then(
          (answer) => {
            if (!answer) return
            report.answers++
            report.rows += answer.rows.length
            report.problems.push(...problemsOf(answer.rows, query.search !== ''))
          },
          (error: Error) => void report.problems.push(error.message),
        ),
      )
      // Up to eight reads and a few more changes at once.
      if (underWay.length === 8) {
        await Promise.all(underWay)
        underWay = []
      }
    }
    await Promise.all(underWay)
    const last = await reader.readWhole(path)
    if (last.total !== writer.lines()) report.problems.push(`${last.total} of ${writer.lines()}`)
  } finally {
    report.peakMiB = Math.round(reader.peakMiB)
    await reader.end()
    rmSync(folder, { recursive: true, force: true })
  }
  return report
}

function createWriter(path: string, random: Random) {
  let generation = 1
  let number = 0
  let rest = ''
  const next = () => lineOf(generation, ++number)
  const lines = (count: number) => Array.from({ length: count }, next).join('')
  const rewrite = () => {
    generation++
    number = 0
    rest = ''
  }
  writeFileSync(path, lines(50))
  const changes: (() => void)[] = [
    () => {
      appendFileSync(path, rest + lines(random.integer(1, 200)))
      rest = ''
    },
    () => {
      if (rest === '') rest = next()
      const cut = random.integer(1, rest.length)
      appendFileSync(path, rest.slice(0, cut))
      rest = rest.slice(cut)
    },
    () => {
      // As logrotate does with copytruncate.
      rewrite()
      writeFileSync(path, '')
      appendFileSync(path, lines(random.integer(1, 100)))
    },
    () => {
      rewrite()
      renameSync(path, `${path}.1`)
      writeFileSync(path, lines(random.integer(1, 100)))
    },
    () => {
      // Longer than the content before: only its bytes show that it is another.
      rewrite()
      writeFileSync(path, lines(random.integer(2_000, 9_000)))
    },
  ]
  const often = [0, 0, 0, 0, 1, 1, 1, 2, 3, 4]
  return {
    change: () => changes[random.pick(often)]?.(),
    lines: () => number,
  }
}

const whole = /^(generation (\d+) line (\d+) x*) ([0-9a-f]{8})$/

function problemsOf(rows: LogEntry[], isSearched: boolean): string[] {
  const read = rows.map(({ text }) => whole.exec(text))
  const problems: string[] = []
  for (const [index, found] of read.entries()) {
    // The newest line may be on its way.
    if (index === 0 && !found) continue
    if (!found || sumOf(found[1] ?? '') !== found[4]) {
      problems.push(`not whole: ${rows[index]?.text.slice(0, 80)}`)
      continue
    }
    const newer = read[index - 1]
    if (!newer) continue
    const isNext = Number(newer[3]) === Number(found[3]) + 1
    if (newer[2] !== found[2] || (!isNext && !isSearched))
      problems.push(`${newer[1]?.slice(0, 40)} before ${found[1]?.slice(0, 40)}`)
  }
  return problems
}
