import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

describe('the ./mapping entry', () => {
  it('needs nothing but lossless-json, so that a browser can bundle it', () => {
    const folder = new URL('../mapping/', import.meta.url)
    const files = [
      new URL('mapping.ts', import.meta.url),
      ...readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|-cases\.ts$/.test(file))
        .map((file) => new URL(file, folder)),
    ]
    const imported = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/from '([^']+)'/g)].map((match) => match[1]),
    )
    expect(new Set(imported.filter((from) => !from?.startsWith('.')))).toEqual(
      new Set(['lossless-json']),
    )
  })
})
