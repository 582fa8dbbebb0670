import { expect, test } from 'vitest'
import indexHtml from '../../index.html?raw'

const sources = Object.entries(
  import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../testing/**'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)

const styles = sources.find(([file]) => file === './styles.ts')?.[1] ?? ''

/** Names that files import as values from a module. */
function importedValues(module: string): string[] {
  const pattern = new RegExp(String.raw`import \{([^}]*)\} from '${module}'`, 'g')
  return sources.flatMap(([, source]) =>
    [...source.matchAll(pattern)].flatMap(([, names = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type ')),
    ),
  )
}

/** Components that share the styles of another, or have none of their own. */
const styledBy: Record<string, string> = {
  Autocomplete: 'Combobox',
  FileInput: 'Input',
  MultiSelect: 'PillsInput',
  NativeSelect: 'Input',
  Select: 'Combobox',
  Textarea: 'Input',
  TagsInput: 'PillsInput',
  TextInput: 'Input',
}
const withoutStyles = new Set([
  'MantineProvider',
  'Box',
  'Collapse',
  'FileButton',
  'FocusTrap',
  'Portal',
  'Space',
])

test('every Mantine component in use has its styles imported', () => {
  const used = new Set(importedValues('@mantine/core'))
  const components = [...used].filter((name) => /^[A-Z]/.test(name) && !withoutStyles.has(name))
  expect(components).toContain('Button')
  const missing = components.filter(
    (name) => !styles.includes(`/styles/${styledBy[name] ?? name}.layer.css'`),
  )
  expect(missing).toEqual([])
})

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
