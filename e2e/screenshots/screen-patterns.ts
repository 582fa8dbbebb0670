import { readFileSync } from 'node:fs'

// Read as text: journeys use the product from outside.
const sourceOf = (file: string) =>
  readFileSync(new URL(`../../apps/dashboard/src/${file}`, import.meta.url), 'utf8')

/** The first address of every screen that the dashboard has, with `:id` where a record's is. */
function patternsOfScreens(): string[] {
  const named = new Map(
    [...sourceOf('entities/paths.ts').matchAll(/^  (\w+): '([^']+)'/gm)].map(
      ([, name = '', path = '']) => [`paths.${name}`, path],
    ),
  )
  const found = sourceOf('app/screens.tsx').matchAll(/^    paths: \[([^,\]]+)/gm)
  return [...found].map(([, address = '']) => {
    const path = address.startsWith("'") ? address.slice(1, -1) : named.get(address)
    if (path === undefined) throw new Error(`screens.tsx has a path that is no text: ${address}`)
    return path
  })
}

/** The screens that none of these addresses shows. */
export function patternsWithoutPicture(addresses: readonly string[]): string[] {
  return patternsOfScreens().filter((pattern) => {
    const shape = pattern.replace('/:part?', '').replaceAll(/:\w+/g, String.raw`\d+`)
    return !addresses.some((address) => new RegExp(`^${shape}$`).test(address))
  })
}
