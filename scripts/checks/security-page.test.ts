import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** Each threat of the page, with what is said of it. */
const threats = read('docs/security.md')
  .split('\n## Threats\n')[1]!
  .split('\n## ')[0]!
  .split('\n### ')
  .slice(1)
  .map((section) => {
    const [title = '', ...lines] = section.split('\n')
    return { title, lines }
  })

it('the page on security names tests that are there, for each threat', () => {
  expect(threats.length).toBeGreaterThan(20)
  for (const { title, lines } of threats) {
    expect(lines.join('').length, title).toBeGreaterThan(100)
    const items = lines.filter((line) => line.startsWith('- '))
    expect(items, title).not.toEqual([])
    for (const item of items) {
      const [, name = '', file = ''] = /^- `(.+)` in `([^`]+)`$/.exec(item) ?? []
      expect(file, item).toMatch(/\.(?:test|mariadb|redis)\.ts$/)
      expect(titlesIn(file), item).toContain(name)
    }
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
