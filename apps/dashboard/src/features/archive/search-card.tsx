import { Button, Group, Paper, SegmentedControl, Text, TextInput, Title } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import type { ArchiveHit } from '@gatehouse/contract'
import { RunLink } from '../../entities/run/run-link.tsx'
import { RegisterFilter } from '../../entities/document/register-filter.tsx'
import { messageOf } from '../../lib/calls/call-error.ts'
import { formatBytes } from '../../lib/format/format-bytes.ts'
import { useCan } from '../../lib/session/session.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { findByName, searchFiles, type SearchPlace } from './archive-queries.ts'
import classes from './archive.module.css'

const ways = [
  { value: 'name', label: 'Number or reference' },
  { value: 'text', label: 'Text in bodies' },
] as const
type Way = (typeof ways)[number]['value']

interface Found {
  hits: ArchiveHit[]
  readBytes: number
  skipped: string[]
  /** Where the files go on; null: all were read. */
  next: SearchPlace | null
}

const nothing: Found = { hits: [], readBytes: 0, skipped: [], next: null }

/** Finds runs in the files: by name at once, by any text file after file. */
export function SearchCard() {
  const can = useCan()
  const [way, setWay] = useState<Way>('name')
  const [typed, setTyped] = useState('')
  const [register, setRegister] = useState('')
  const { found, error, isSearching, begin, goOn, stop } = useSearch(way, typed.trim(), register)
  const isLongEnough = typed.trim().length >= (way === 'text' ? 3 : 1)
  function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    if (isLongEnough) void begin()
  }
  return (
    <Paper component="section" className={classes['card'] ?? ''}>
      <Title order={3} mb="sm">
        Find in the archive
      </Title>
      <form onSubmit={handleSubmit}>
        <Group gap="sm" align="flex-end">
          {can('run.view') && (
            <SegmentedControl
              aria-label="What to look for"
              data={[...ways]}
              value={way}
              onChange={setWay}
            />
          )}
          <TextInput
            label={ways.find(({ value }) => value === way)?.label}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            flex="1 1 14rem"
            maxLength={200}
          />
          {way === 'name' && (
            <RegisterFilter value={register} onChange={(chosen) => setRegister(chosen ?? '')} />
          )}
          {isSearching ? (
            <Button variant="default" onClick={stop}>
              Stop
            </Button>
          ) : (
            <Button type="submit" disabled={!isLongEnough}>
              Find
            </Button>
          )}
        </Group>
      </form>
      {way === 'text' && (
        <Text size="xs" c="dimmed" mt={6}>
          Files are read one after the other, from the newest. Capitals count. The text has three
          characters at least.
        </Text>
      )}
      {error !== undefined && (
        <Text size="sm" c="red" mt="sm" role="alert">
          {messageOf(error)}
        </Text>
      )}
      {found && <Result found={found} isSearching={isSearching} onMore={() => void goOn()} />}
    </Paper>
  )
}

function useSearch(way: Way, text: string, register: string) {
  const [found, setFound] = useState<Found>()
  const [error, setError] = useState<unknown>()
  const [isSearching, setIsSearching] = useState(false)
  const [controller, setController] = useState<AbortController>()
  async function search(before: Found, from: SearchPlace | null) {
    controller?.abort()
    const own = new AbortController()
    setController(own)
    setError(undefined)
    setIsSearching(true)
    setFound(before)
    try {
      const some =
        way === 'name'
          ? {
              ...(await findByName(text, register, own.signal)),
              next: null,
              read_bytes: 0,
              skipped: [],
            }
          : await searchFiles(text, from, own.signal)
      setFound({
        hits: [...before.hits, ...some.hits],
        readBytes: before.readBytes + some.read_bytes,
        skipped: [...before.skipped, ...some.skipped],
        next: some.next,
      })
    } catch (reason) {
      if (!own.signal.aborted) setError(reason)
    } finally {
      if (!own.signal.aborted) setIsSearching(false)
    }
  }
  return {
    found,
    error,
    isSearching,
    begin: () => search(nothing, null),
    goOn: () => search(found ?? nothing, found?.next ?? null),
    stop: () => {
      controller?.abort()
      setIsSearching(false)
    },
  }
}

interface ResultProps {
  found: Found
  isSearching: boolean
  onMore: () => void
}

function Result({ found, isSearching, onMore }: ResultProps) {
  const { hits, next, readBytes, skipped } = found
  const count = hits.length === 1 ? '1 run' : `${hits.length.toLocaleString('en')} runs`
  return (
    <>
      <Text size="sm" mt="sm" mb="xs" aria-live="polite">
        {isSearching ? 'Searching…' : `${hits.length === 0 ? 'No run' : count} found`}
        {readBytes > 0 && ` · ${formatBytes(readBytes, 'binary')} read`}
      </Text>
      <ul className={classes['hits']} aria-label="Runs found in the archive">
        {hits.map((hit) => (
          <li key={hit.run_id}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <RunLink id={hit.run_id} />
              {hit.reference !== null && (
                <>
                  {' · '}
                  <bdi>{hit.reference}</bdi>
                </>
              )}
              {hit.registers.length > 0 && (
                <>
                  {' · '}
                  <bdi>{hit.registers.join(', ')}</bdi>
                </>
              )}
              {' · '}
              <Moment at={hit.created_at} isRelative />
              {` · ${hit.file.name}, line ${hit.line.toLocaleString('en')}`}
            </Text>
          </li>
        ))}
      </ul>
      {skipped.length > 0 && (
        <Text size="sm" c="orange" mt="xs">
          Not readable here: {skipped.join(', ')}
        </Text>
      )}
      {next !== null && !isSearching && (
        <Button variant="default" size="compact-sm" mt="sm" onClick={onMore}>
          Search on
        </Button>
      )}
    </>
  )
}
