import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { SubmitEntry } from './submit-entry.ts'
import { SubmitJournal } from './submit-journal.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-submits-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
function open(folder: string, maxBytes?: number): SubmitJournal {
  const journal = new SubmitJournal(folder, maxBytes)
  onTestFinished(() => journal.close())
  return journal
}
const entry = (attempt: number): SubmitEntry => ({
  at: '2026-06-01T08:00:00.000Z',
  register: 'default',
  kind: 'tax',
  test: false,
  references: [`INV-${attempt}`],
  run: attempt,
  run_kind: 'general',
  step: 1,
  endpoint: 7,
  attempt,
  uuid: `uuid-${attempt}`,
  sha256: 'x',
})
const attemptsIn = async (journal: SubmitJournal) =>
  (await Array.fromAsync(journal.read())).map(({ attempt }) => attempt)

it('gives back what was noted, also by an earlier process, and skips a line that was cut', async () => {
  const folder = newFolder()
  const first = open(folder)
  expect([await attemptsIn(first), await first.last()]).toEqual([[], undefined])
  first.note(entry(1))
  first.note(entry(2))
  // The process is killed, and a crash of the machine has cut the last line.
  appendFileSync(join(folder, 'submits', 'submits-000001.ndjson'), '{"at":"2026-06-01T08')
  const second = open(folder)
  second.note(entry(3))
  expect(await attemptsIn(second)).toEqual([1, 2, 3])
  expect(await second.last()).toEqual(entry(3))
})

it('keeps the newest lines, and no more than sixteen files', async () => {
  const folder = newFolder()
  const journal = open(folder, JSON.stringify(entry(100)).length * 2 + 10)
  for (let attempt = 100; attempt < 150; attempt++) journal.note(entry(attempt))
  expect(readdirSync(join(folder, 'submits'))).toHaveLength(16)
  expect(await attemptsIn(journal)).toEqual(Array.from({ length: 32 }, (_, at) => 118 + at))
  expect(await journal.last()).toEqual(entry(149))
})

it('refuses where it can’t be written', () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'submits'), 'a file where the folder would be')
  expect(() => open(folder).note(entry(1))).toThrow(/EEXIST|ENOTDIR/)
})

it('keeps in memory what it noted from when something takes it, and no longer than that', () => {
  const journal = open(newFolder())
  journal.note(entry(1))
  journal.keepNoted()
  journal.note(entry(2))
  journal.note(entry(3))
  expect(journal.takeNoted().map(({ attempt }) => attempt)).toEqual([2, 3])
  expect(journal.takeNoted()).toEqual([])
})
