import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useId } from 'react'

/**
 * The library's password field, with the ARIA attributes it lacks: with an error, screen readers and
 * `useFocusFirstError` rely on `aria-invalid`.
 */
export function PasswordField(props: PasswordInputProps) {
  const id = useId()
  const parts = [props.description && `${id}-description`, props.error && `${id}-error`]
  const describedBy = parts.filter(Boolean).join(' ')
  return (
    <PasswordInput
      {...props}
      id={id}
      {...(props.error ? { 'aria-invalid': true } : {})}
      {...(describedBy === '' ? {} : { 'aria-describedby': describedBy })}
    />
  )
}
