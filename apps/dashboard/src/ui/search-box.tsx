import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useIsHere } from '../lib/screen-address.ts'
import { filterWidth } from './filter-selects.tsx'

interface SearchBoxProps {
  label: string
  value: string
  onChange: (value: string) => void
  /** For several search boxes side by side. */
  isSmall?: boolean
}

const pauseMs = 300

/** A search field that reports what was typed once the typing pauses. */
export function SearchBox({ label, value, onChange, isSmall = false }: SearchBoxProps) {
  const [typed, setTyped] = useState(value)
  const [reported, setReported] = useState(value)
  const [seen, setSeen] = useState(value)
  const isHere = useIsHere()
  const report = useDebouncedCallback((text: string) => {
    // It comes late: it must not bring back a screen that the user is about to leave.
    if (!isHere()) return
    setReported(text)
    onChange(text)
  }, pauseMs)
  // Our own reports come back late, when the user has already typed more. Any other change (Back, a
  // link) replaces the text.
  if (value !== seen) {
    setSeen(value)
    if (value !== reported) {
      setReported(value)
      setTyped(value)
    }
  }
  function handleType(text: string) {
    setTyped(text)
    report(text.trim())
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={typed}
      onChange={(event) => handleType(event.currentTarget.value)}
      // In a form it would send that.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      leftSection={<IconSearch size={16} />}
      rightSection={
        typed !== '' && (
          <CloseButton size="sm" aria-label="Clear search" onClick={() => handleType('')} />
        )
      }
      w={isSmall ? filterWidth(150) : { base: '100%', xs: 280 }}
    />
  )
}
