import { readFileSync } from 'node:fs'
import { paths } from '../../apps/dashboard/src/entities/paths.ts'

const rows = new URL('../../apps/dashboard/src/app/screens.tsx', import.meta.url)

/** The first address of every screen that the dashboard has, with `:id` where a record's is. */
function patternsOfScreens(): string[] {
  const found = readFileSync(rows, 'utf8').matchAll(/^    paths: \[([^,\]]+)/gm)
  return [...found].map(([, address = '']) => {
    if (address.startsWith("'")) return address.slice(1, -1)
    const path: unknown = Object.entries(paths).find(([name]) => `paths.${name}` === address)?.[1]
    if (typeof path !== 'string')
      throw new Error(`screens.tsx has a path that is no text: ${address}`)
    return path
  })
}

/** The screens that none of these addresses shows. */
export function patternsWithoutPicture(addresses: readonly string[]): string[] {
  return patternsOfScreens().filter((pattern) => {
    const shape = new RegExp(
      `^${pattern.replace('/:part?', '').replaceAll(/:\w+/g, String.raw`\d+`)}$`,
    )
    return !addresses.some((address) => shape.test(address))
  })
}
