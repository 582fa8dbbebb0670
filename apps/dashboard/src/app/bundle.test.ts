import { expect, test } from 'vitest'
import indexHtml from '../../index.html?raw'

const sources = Object.entries(
  import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../testing/**'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)

test('the schema library stays out of the bundle: from the contract only types are imported', () => {
  expect(sources.length).toBeGreaterThan(50)
  const importing = sources.filter(([, source]) =>
    /import (?!type )[^;'"]*from '(@gatehouse\/contract|zod)'/.test(source),
  )
  expect(importing.map(([file]) => file)).toEqual([])
})

test('the page holds nothing that the Content-Security-Policy forbids', () => {
  const scripts = [...indexHtml.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)]
  expect(scripts).toHaveLength(2)
  for (const [, attributes, content] of scripts) {
    expect(attributes).toMatch(/src="\//)
    expect(content).toBe('')
  }
  expect(indexHtml).not.toMatch(/https?:|\son\w+=/)
})
