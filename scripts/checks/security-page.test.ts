import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** The threats, which are the sections of the pages below docs/security.md. */
const threats = globSync('docs/security/*.md', { cwd: root }).flatMap((page) =>
  [...read(page).matchAll(/^## (.+)$/gm)].map(([, title]) => title!),
)
/** The titles of the tests that hold the defence, by threat and file. */
const tests: Record<string, Record<string, string[]>> = JSON.parse(read('docs/security/tests.json'))

it('each threat of the pages on security has tests, and no other has', () => {
  expect(threats.length).toBeGreaterThan(20)
  expect(Object.keys(tests).toSorted()).toEqual(threats.toSorted())
})

it.each(Object.entries(tests))('the tests against “%s” are there', (_, files) => {
  expect(Object.values(files).flat()).not.toEqual([])
  for (const [file, titles] of Object.entries(files)) {
    expect(file).toMatch(/\.(?:test|mariadb|redis)\.ts$/)
    const there = titlesIn(file)
    expect(titles.filter((title) => !there.includes(title))).toEqual([])
  }
})

/** The lines of a file that begin a test, a group of tests or a table of cases, with their titles. */
const titlesIn = (file: string) =>
  read(file)
    .split('\n')
    .filter((line) =>
      /\b(?:it|test|describe)(?:\.each)?\(|^\s*\](?: as const)?\)\(|^\s*['"`]/.test(line),
    )
    .join('\n')

it('nothing in the dashboard writes HTML or runs text as code', () => {
  const folder = 'apps/dashboard/src/'
  const ways =
    /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function\(/
  const files = globSync('**/*.{ts,tsx}', { cwd: new URL(folder, root) })
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => ways.test(read(folder + file.replaceAll('\\', '/'))))).toEqual([])
})
