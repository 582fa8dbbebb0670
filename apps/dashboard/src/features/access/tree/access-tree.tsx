import { Alert, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import {
  useId,
  useMemo,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
} from 'react'
import { messageOf } from '../../../lib/calls/call-error.ts'
import { QueryLoader } from '../../../ui/page/query-loader.tsx'
import { endpointName } from '../access-choices.ts'
import { accessMessages } from '../access-messages.ts'
import { accessQueries, type ApisFound } from '../access-queries.ts'
import {
  countOfApi,
  isChosen,
  toggleApi,
  toggleEndpoint,
  type EndpointEdit,
} from '../endpoint-edit.ts'
import classes from './access-tree.module.css'
import { TreeLine, type BoxState } from './tree-line.tsx'
import { isOpenAtFirst, nextLine, treeRows, type TreeApi, type TreeRow } from './tree-rows.ts'
import { useEndpointPages } from './use-endpoint-pages.ts'
import { useLineWindow } from './use-line-window.ts'

interface AccessTreeProps {
  roleId: number
  search: string
  edit: EndpointEdit
  onChange: (edit: EndpointEdit) => void
  isDisabled: boolean
}

/** Every API with its endpoints, and which of them the role has: all, some or none. */
export function AccessTree(props: AccessTreeProps) {
  const query = useQuery(accessQueries.apis(props.roleId, props.search))
  return (
    <QueryLoader query={query} failureText={accessMessages.notLoaded} isInCard>
      {(found) =>
        found.apis.length === 0 ? (
          <Text size="sm" c="dimmed">
            {found.search === '' ? 'There is no endpoint yet.' : 'No endpoints match'}
          </Text>
        ) : (
          <Tree key={found.search} {...props} found={found} />
        )
      }
    </QueryLoader>
  )
}

const lineHeights = { wide: 36, narrow: 52 }

/** The focus stays on the tree itself, because lines come and go while it scrolls. */
function Tree({
  roleId,
  found,
  edit,
  onChange,
  isDisabled,
}: AccessTreeProps & { found: ApisFound }) {
  const { apis, search } = found
  const id = useId()
  const [turned, setTurned] = useState<ReadonlySet<number>>(noneTurned)
  const [active, setActive] = useState(0)
  const isNarrow = useMediaQuery('(max-width: 47.99em)') ?? false
  const height = isNarrow ? lineHeights.narrow : lineHeights.wide
  const rows = useMemo(
    () => treeRows(apis, isOpenAtFirst(apis, search), turned),
    [apis, search, turned],
  )
  const { frame, onScroll, reveal, pageLines, from, to } = useLineWindow(rows.length, height)
  const shown = useMemo(() => rows.slice(from, to), [rows, from, to])
  const { endpointOf, error } = useEndpointPages(roleId, search, shown)

  function turn({ api }: TreeRow) {
    setTurned((turned) => {
      const next = new Set(turned)
      if (!next.delete(api.id)) next.add(api.id)
      return next
    })
  }
  function toggle(row: TreeRow) {
    if (isDisabled) return
    const endpoint = endpointOf(row)
    if (row.at === undefined) onChange(toggleApi(edit, row.api))
    else if (endpoint) onChange(toggleEndpoint(edit, endpoint))
  }
  function go(line: number) {
    setActive(line)
    reveal(line)
  }
  function handleClick({ target }: MouseEvent) {
    if (!(target instanceof Element)) return
    const line = Number(target.closest<HTMLElement>('[data-line]')?.dataset['line'] ?? -1)
    const row = rows[line]
    if (!row) return
    setActive(line)
    if (row.at === undefined && !target.closest('[data-box]')) turn(row)
    else toggle(row)
  }
  function handleKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[active]
    if (!row) return
    const line = nextLine(rows, active, event.key, pageLines)
    if (line !== undefined) go(line)
    else if (!handleOwnKey(event.key, row)) return
    event.preventDefault()
  }
  /** False: the key does nothing here. */
  function handleOwnKey(key: string, row: TreeRow): boolean {
    const isApi = row.at === undefined
    const [inward, outward] =
      document.dir === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
    if (key === ' ' || (key === 'Enter' && !isApi)) toggle(row)
    else if (key === 'Enter') turn(row)
    else if (key === inward && isApi && row.isOpen) go(active + 1)
    else if (key === inward && isApi) turn(row)
    else if (key === outward && isApi && row.isOpen) turn(row)
    else if (key === outward && !isApi) go(active - (row.at ?? 0) - 1)
    else return false
    return true
  }
  const draw = (row: TreeRow, line: number) => (
    <TreeLine
      key={line}
      id={`${id}-${line}`}
      line={line}
      height={height}
      isActive={line === active}
      isDisabled={isDisabled}
      {...(row.at === undefined ? apiLine(row, edit, search, apis.length) : childLine(row))}
    />
  )
  function childLine(row: TreeRow) {
    const endpoint = endpointOf(row)
    return {
      level: 2 as const,
      name: endpoint ? endpointName(endpoint) : '…',
      more: endpoint ? `${endpoint.method_type.toUpperCase()} ${endpoint.path}` : '',
      isCode: true,
      state: (endpoint && isChosen(edit, endpoint) ? 'true' : 'false') as BoxState,
      place: (row.at ?? 0) + 1,
      placeOf: row.api.found_count,
    }
  }
  const activeRow = rows[active]
  const isActiveApart = activeRow && (active < from || active >= to)
  return (
    <>
      {error !== null && (
        <Alert color="red" role="alert">
          {messageOf(error)}
        </Alert>
      )}
      <div
        ref={frame}
        role="tree"
        aria-label="APIs and their endpoints"
        aria-activedescendant={`${id}-${active}`}
        tabIndex={0}
        className={classes['frame']}
        style={{ '--tree-height': `${rows.length * height + 2}px` } as CSSProperties}
        onScroll={onScroll}
        onClick={handleClick}
        onKeyDown={handleKeyDown}
      >
        <div role="none" style={{ height: rows.length * height }}>
          {shown.map((row, at) => draw(row, from + at))}
          {isActiveApart && draw(activeRow, active)}
        </div>
      </div>
    </>
  )
}

const noneTurned: ReadonlySet<number> = new Set()

function apiLine(
  { api, apiAt, isOpen }: TreeRow,
  edit: EndpointEdit,
  search: string,
  apis: number,
) {
  const chosen = countOfApi(edit, api)
  return {
    level: 1 as const,
    name: api.name,
    more: apiWords(api, chosen, search),
    state: stateOf(api, chosen),
    isOpen,
    place: apiAt + 1,
    placeOf: apis,
  }
}

/** A box covers all endpoints of its API, also those that the search doesn't find. */
function apiWords(
  { endpoints_count, found_count }: TreeApi,
  chosen: number,
  search: string,
): string {
  const words = `${chosen} of ${endpoints_count} endpoints`
  return search === '' ? words : `${words} · ${found_count} found`
}

function stateOf({ endpoints_count }: TreeApi, chosen: number): BoxState {
  if (chosen === 0) return 'false'
  return chosen < endpoints_count ? 'mixed' : 'true'
}
