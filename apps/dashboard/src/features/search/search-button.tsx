import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { focusListSearch } from '../../lib/page/focus-list-search.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import type { OfferedScreen } from './palette-commands.tsx'
import classes from './search.module.css'

const SearchPalette = lazyPart(async () => (await import('./search-palette.tsx')).SearchPalette)

/** Opens the palette; so do Ctrl+K anywhere, and `/` where no list can be searched and nothing is typed. */
export function SearchButton({ screens }: { screens: readonly OfferedScreen[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  useHotkeys([['/', () => focusListSearch() || open()]])
  useHotkeys([['mod+K', open]], [], true)
  return (
    <>
      <UnstyledButton className={classes['button'] ?? ''} onClick={open} aria-haspopup="dialog">
        <IconSearch size={18} aria-hidden />
        <VisuallyHidden>Search everything</VisuallyHidden>
        <span className={classes['word']} aria-hidden>
          Search
        </span>
        <kbd className={classes['key']} aria-hidden>
          /
        </kbd>
      </UnstyledButton>
      {isOpen && <SearchPalette screens={screens} onClose={() => setIsOpen(false)} />}
    </>
  )
}
