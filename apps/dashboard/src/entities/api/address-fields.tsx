import type { TagsInputProps } from '@mantine/core'
import { WordsInput } from '../../ui/form/words-input.tsx'
import classes from './address-fields.module.css'

interface AddressFieldsProps {
  propsOf: (list: 'allow' | 'deny') => TagsInputProps
}

/** From which addresses something may be used. */
export function AddressFields({ propsOf }: AddressFieldsProps) {
  return (
    <>
      <Addresses
        label="Allowed addresses"
        description="Like 203.0.113.7 or 10.0.0.0/8. Blank: all that are not denied. Enter adds one."
        {...propsOf('allow')}
      />
      <Addresses
        label="Denied addresses"
        description="Refused, even where a range above holds them. Enter adds one."
        {...propsOf('deny')}
      />
    </>
  )
}

function Addresses(props: TagsInputProps) {
  return (
    <WordsInput
      splitChars={[',', ' ', '\n', '\t']}
      classNames={{ input: classes['addresses'] ?? '' }}
      {...props}
    />
  )
}
