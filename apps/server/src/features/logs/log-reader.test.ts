import { afterAll, expect, it } from 'vitest'
import { createLogFolder } from '../../../test/log-folder.ts'
import { LogReader } from './log-reader.ts'

const folder = createLogFolder()
const reader = new LogReader()
afterAll(async () => {
  await reader.close()
  folder.remove()
})

const query = (id: string) => ({
  source: { path: folder.path(id), root: folder.path('.') },
  page: 1,
  perPage: 30,
  levels: [],
  search: '',
})

it('a thread that dies fails the questions under way, and is started again for the next', async () => {
  folder.write('a.log', 'a line\n')
  const waiting = [reader.read(query('a.log')), reader.read(query('a.log'))]
  const ends = Promise.allSettled(waiting)
  await reader.close()
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await reader.read(query('a.log'))).toMatchObject({ total: 1, rows: [{ text: 'a line' }] })
})

it('a file that is gone is no failure', async () => {
  expect(await reader.read(query('gone.log'))).toBeUndefined()
})

it('many ask at once, and each gets its own answer', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `${index}.log`)
  for (const name of names) folder.write(name, `of ${name}\n`)
  const answers = await Promise.all(names.map((name) => reader.read(query(name))))
  expect(answers.map((answer) => answer?.rows[0]?.text)).toEqual(names.map((name) => `of ${name}`))
})
