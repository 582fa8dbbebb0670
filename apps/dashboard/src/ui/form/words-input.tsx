import { TagsInput, type TagsInputProps } from '@mantine/core'
import type { KeyboardEvent } from 'react'

/** A list of words; Enter adds one. */
export function WordsInput(props: TagsInputProps) {
  return <TagsInput {...props} wrapperProps={{ onKeyDown: keepForm }} />
}

/**
 * What is pasted is an entry at once: Enter after it must not send the form. It is stopped on its way up,
 * because the field ignores a key that was stopped before.
 */
function keepForm(event: KeyboardEvent) {
  if (event.key === 'Enter') event.preventDefault()
}
