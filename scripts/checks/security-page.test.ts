import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** The rows of the table of threats, each as its cells. */
const rows = read('docs/security.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:threat |-)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

it('the page on security names tests that are there, for each threat', () => {
  expect(rows.length).toBeGreaterThan(15)
  for (const [, threat = '', defence = '', heldBy = ''] of rows) {
    const files = [...heldBy.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
    expect(defence, threat).not.toBe('')
    expect(files, threat).not.toEqual([])
    for (const file of files) {
      expect(file).toMatch(/\.(?:test|mariadb|redis)\.ts$/)
      expect(read(file), file).toMatch(/^\s*(?:it|test)\b/m)
    }
  }
})

it('nothing in the dashboard writes HTML or runs text as code', () => {
  const folder = 'apps/dashboard/src/'
  const ways =
    /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function\(/
  const files = globSync('**/*.{ts,tsx}', { cwd: new URL(folder, root) })
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => ways.test(read(folder + file.replaceAll('\\', '/'))))).toEqual([])
})
