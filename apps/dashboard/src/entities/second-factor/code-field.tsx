import { TextInput, type TextInputProps } from '@mantine/core'
import type { Ref } from 'react'

/** A code of an authenticator app; browsers and password managers know how to fill it in. */
export function CodeField(props: TextInputProps & { ref?: Ref<HTMLInputElement> }) {
  return (
    <TextInput
      label="Code"
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      {...props}
    />
  )
}
