import { TextInput, type ComboboxData, type SelectProps } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { lazy, Suspense, type ComponentType } from 'react'

type Props = SelectProps

const LibrarySelect = lazy(async () => {
  const { Select } = await import('./selects.ts')
  return { default: Select as ComponentType<Props> }
})

/**
 * The library's select for lists: its code, with all that places a dropdown, is loaded once the list is drawn.
 * Until then a field that looks like it is in its place, and can't be used.
 */
export function LateSelect(props: Props) {
  return (
    <Suspense fallback={<Place {...props} />}>
      <LibrarySelect {...props} />
    </Suspense>
  )
}

function Place({ data, value, size = 'sm', w, ...texts }: Props) {
  const { placeholder, label, description, error } = texts
  return (
    <TextInput
      inert
      rightSection={<IconSelector size={16} />}
      value={labelOf(data, value)}
      {...{ placeholder, label, description, error, size, w }}
    />
  )
}

function labelOf(data: ComboboxData | undefined, value: Props['value']): string {
  for (const choice of data ?? []) {
    if (choice === value) return value
    if (typeof choice === 'object' && 'value' in choice && choice.value === value)
      return choice.label
  }
  return ''
}
