import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useId } from 'react'

/**
 * The library's password field, which shows an error but tells neither screen readers nor our own
 * search for the first wrong field of it.
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
