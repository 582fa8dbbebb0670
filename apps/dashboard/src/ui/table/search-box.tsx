import { Box, CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { useIsHere } from '../../lib/page/screen-address.ts'
import { filterWidth } from '../filters/filter-selects.tsx'
import type { Term } from '../terms/term.ts'

interface SearchBoxProps {
  label: string
  value: string
  onChange: (value: string) => void
  /** For several search boxes side by side. */
  isSmall?: boolean
  /** What may be typed as `name:value` to narrow the list down. */
  terms?: readonly Term[] | undefined
  onTerm?: (name: string, value: string) => void
}

// Comes with the first word that is typed.
const loadTerms = () => import('../terms/term-offers.tsx')
const TermOffers = lazyPart(async () => (await loadTerms()).TermOffers)

const pauseMs = 300

/** A search field that reports the words that were typed once the typing pauses, and terms as they are whole. */
export function SearchBox(props: SearchBoxProps) {
  const { label, value, onChange, isSmall = false, terms = [], onTerm } = props
  const [focused, setFocused] = useState<HTMLInputElement>()
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
    if (terms.length === 0) report(text.trim())
    else void loadTerms().then(({ withoutTerms }) => report(withoutTerms(text, terms)))
  }
  const width = isSmall ? filterWidth(150) : { base: '100%', xs: terms.length > 0 ? 340 : 280 }
  return (
    <Box pos="relative" w={width}>
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
        onFocus={(event) => setFocused(event.currentTarget)}
        onBlur={() => setFocused(undefined)}
      />
      {focused && onTerm && terms.length > 0 && (
        <TermOffers
          input={focused}
          text={typed}
          terms={terms}
          onText={handleType}
          onTerm={onTerm}
        />
      )}
    </Box>
  )
}
