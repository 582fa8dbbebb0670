import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useCan } from '../../lib/session.tsx'
import classes from './search.module.css'

const SearchPalette = lazy(async () => ({
  default: (await import('./search-palette.tsx')).SearchPalette,
}))

/** Opens the search; so do `/`, where nothing is typed, and Ctrl+K anywhere. */
export function SearchButton() {
  const can = useCan()
  const [isOpen, setIsOpen] = useState(false)
  const mayFind = can('run.view') || can('workflow.view')
  const open = () => mayFind && setIsOpen(true)
  useHotkeys([['/', open]])
  useHotkeys([['mod+K', open]], [], true)
  if (!mayFind) return null
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
      {isOpen && (
        <Suspense>
          <SearchPalette onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
