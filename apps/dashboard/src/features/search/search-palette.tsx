/* oxlint-disable jsx-a11y/prefer-tag-over-role -- no HTML element lists results below a field that keeps the focus */
import { Anchor, Group, Loader, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { focusWhenShown } from '../../lib/page/page-focus.ts'
import { useCan } from '../../lib/session/session.tsx'
import { commandSection, type OfferedScreen } from './palette-commands.tsx'
import { recordsQuery } from './palette-records.tsx'
import { PaletteResults } from './palette-results.tsx'
import type { PaletteItem } from './palette-section.ts'
import { noteRecent, readRecent } from './recent-searches.ts'
import { optionId } from './search-option-id.ts'
import { searchQueries } from './search-queries.ts'
import { hitSections } from './palette-hits.tsx'

const pauseMs = 200
const listId = 'search-results'

const keySteps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

interface SearchPaletteProps {
  screens: readonly OfferedScreen[]
  onClose: () => void
}

/** One field that finds everything, screens and actions too, with the results below while the user types. */
export function SearchPalette({ screens, onClose }: SearchPaletteProps) {
  const navigate = useNavigate()
  const can = useCan()
  const maySearch = can('run.view') || can('workflow.view')
  const [typed, setTyped] = useState('')
  const [recent] = useState(readRecent)
  const [debounced] = useDebouncedValue(typed.trim(), pauseMs)
  const query = useQuery({
    ...searchQueries.list({ q: debounced, limit: 4 }),
    enabled: debounced !== '' && maySearch,
  })
  const records = useQuery(recordsQuery(debounced, can))
  const answer = debounced === '' ? undefined : query.data
  const sections = [
    commandSection(screens, can, typed),
    ...(debounced === '' ? [] : (records.data ?? [])),
    ...hitSections(answer?.groups ?? []),
  ].filter(({ items }) => items.length > 0)
  const targets = typed.trim() === '' ? recent : sections.flatMap(({ items }) => items)
  // By name: what is found later may come before it. Undefined: the user has chosen nothing yet.
  const [chosen, setChosen] = useState<string>()
  const chosenAt = targets.findIndex((target) => nameOf(target) === chosen)
  const selected = Math.max(0, chosenAt)
  const isWaiting = typed.trim() !== debounced || query.isFetching || records.isFetching
  const allAddress = `${paths.search}?q=${encodeURIComponent(typed.trim())}`

  function leaveTo(address: string) {
    if (typed.trim() !== '') noteRecent(typed.trim())
    onClose()
    void navigate(address)
  }
  function choose(index: number) {
    const target = targets[index]
    setChosen(target && nameOf(target))
  }
  const pointer = useRef<string>(undefined)
  function point(index: number, { screenX, screenY }: MouseEvent) {
    const at = `${screenX} ${screenY}`
    // The browser also reports a pointer that rests, where the list has moved under it.
    if (pointer.current !== undefined && pointer.current !== at) choose(index)
    pointer.current = at
  }
  function open(index: number) {
    const target = targets[index]
    if (typeof target === 'string') setTyped(target)
    else if (target) leaveTo(target.address)
  }
  function openSelected() {
    const target = targets[selected]
    // While more is coming, the first may become another one, unless it was chosen or is a command.
    const isSure = !isWaiting || chosenAt === selected
    const mayMove = !isSure && typeof target === 'object' && !target.key.startsWith('command ')
    if (target !== undefined && !mayMove) open(selected)
    else if (typed.trim() !== '' && maySearch) leaveTo(allAddress)
  }
  function handleKey(event: KeyboardEvent) {
    const step = keySteps[event.key]
    if (step !== undefined && targets.length > 0) {
      event.preventDefault()
      choose((selected + step + targets.length) % targets.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      openSelected()
    }
  }

  return (
    <Modal.Root opened onClose={onClose} size={680} yOffset="10vh">
      <Modal.Overlay />
      <Modal.Content aria-label="Search everything">
        <Modal.Body p="md">
          <Stack gap="sm">
            <TextInput
              data-autofocus
              // At once: what is typed right after the key belongs here.
              ref={focusWhenShown}
              type="search"
              role="combobox"
              aria-label="Search everything"
              aria-expanded={targets.length > 0}
              aria-controls={listId}
              aria-autocomplete="list"
              {...(targets.length > 0 ? { 'aria-activedescendant': optionId(selected) } : {})}
              placeholder="Reference, customer, screen, action …"
              maxLength={200}
              size="md"
              value={typed}
              onChange={(event) => {
                setTyped(event.currentTarget.value)
                setChosen(undefined)
              }}
              onKeyDown={handleKey}
              leftSection={<IconSearch size={18} />}
              rightSection={isWaiting && <Loader size="xs" />}
            />
            <PaletteResults
              listId={listId}
              isBlank={typed.trim() === ''}
              recent={recent}
              query={query}
              answer={answer}
              sections={sections}
              isWaiting={isWaiting}
              selected={selected}
              onChoose={open}
              onPoint={point}
            />
            <Group justify="space-between" gap="xs">
              <Text size="xs" c="dimmed" visibleFrom="xs">
                ↑ ↓ to choose, Enter to open, Esc to close
              </Text>
              {typed.trim() !== '' && maySearch && (
                <Anchor
                  component={Link}
                  to={allAddress}
                  size="sm"
                  onClick={(event) => {
                    event.preventDefault()
                    leaveTo(allAddress)
                  }}
                >
                  All results and filters
                </Anchor>
              )}
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Of a result, or of a text that was searched for before. */
const nameOf = (target: PaletteItem | string) => (typeof target === 'string' ? target : target.key)
