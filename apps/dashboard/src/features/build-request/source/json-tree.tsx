import type { ExactJson } from '@gatehouse/contract/mapping'
import { useId, useMemo, useState, type KeyboardEvent } from 'react'
import { useRowWindow } from '../../../entities/mapping/table/row-window.ts'
import { pathsWithin, type SourceCoverage } from '../../../entities/mapping/source-coverage.ts'
import type { JsonPath } from '../../../ui/json/json-path-at.ts'
import classes from './json-tree.module.css'
import { escaped, placeOf, plainText, segmentsOf, treeNodes, type TreeNode } from './tree-nodes.ts'

interface JsonTreeProps {
  label: string
  document: ExactJson
  /** Marks what rows read already. */
  coverage: SourceCoverage | undefined
  /** One value, or an object or list as it is. */
  onPick: (path: JsonPath) => void
  /** The values within an object or a list, as paths. */
  onPickAll: (paths: readonly string[]) => void
}

const lineHeight = 26

/** JSON as a tree. A click on a value maps it, and one on an object or a list maps each value in it. */
export function JsonTree({ label, document, coverage, onPick, onPickAll }: JsonTreeProps) {
  const treeId = useId()
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const nodes = useMemo(() => treeNodes(document, toggled), [document, toggled])
  const ids = useMemo(() => nodes.map(({ id }) => id), [nodes])
  const [current = '$', setCurrent] = useState<string>()
  const { frame, row, onScroll, drawn, after } = useRowWindow<HTMLDivElement>({
    ids,
    rowHeight: lineHeight,
    kept: [current],
  })
  const unread = useMemo(() => new Set(coverage?.unread), [coverage])

  const idOf = (node: string) => `${treeId}${node}`
  function go(node: TreeNode | undefined) {
    if (!node) return
    setCurrent(node.id)
    // Lines beyond the next one are drawn once they are in sight.
    frame.current?.scrollTo({ top: topFor(frame.current, nodes.indexOf(node) * lineHeight) })
  }
  function toggle({ id }: TreeNode) {
    setToggled(
      (was) => new Set(was.has(id) ? [...was].filter((each) => each !== id) : [...was, id]),
    )
  }
  function pick(node: TreeNode, isWhole: boolean) {
    setCurrent(node.id)
    if (node.count === undefined || node.count === 0 || isWhole) onPick(node.path)
    else onPickAll(pathsWithin(node.value, segmentsOf(node.path)))
  }
  function handleKey(event: KeyboardEvent) {
    const at = Math.max(ids.indexOf(current), 0)
    const node = nodes[at]
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return
    const around = nodes.slice(0, at).findLast(({ depth }) => depth < node.depth)
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(nodes[at + 1]),
      ArrowUp: () => go(nodes[at - 1]),
      Home: () => go(nodes[0]),
      End: () => go(nodes.at(-1)),
      ArrowRight: () => (node.isOpen || !node.count ? go(nodes[at + 1]) : toggle(node)),
      ArrowLeft: () => (node.isOpen ? toggle(node) : go(around)),
      ' ': () => node.count !== undefined && toggle(node),
      Enter: () => pick(node, event.shiftKey),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }
  return (
    <div
      role="tree"
      ref={frame}
      aria-label={label}
      aria-activedescendant={idOf(current)}
      tabIndex={0}
      dir="ltr"
      className={classes['tree']}
      onScroll={onScroll}
      onKeyDown={handleKey}
    >
      {drawn.map(({ index, before }) => {
        const node = nodes[index]
        return (
          node && (
            <div
              key={node.id}
              id={idOf(node.id)}
              ref={row}
              role="treeitem"
              aria-level={node.depth + 1}
              aria-expanded={node.count ? node.isOpen : undefined}
              aria-selected={node.id === current}
              data-row={node.id}
              data-current={node.id === current || undefined}
              className={classes['node']}
              style={{ marginTop: before, paddingInlineStart: 4 + node.depth * 14 }}
            >
              <TreeLine
                node={node}
                isRead={coverage !== undefined && isRead(node, unread, coverage)}
                onToggle={() => toggle(node)}
                onPick={(isWhole) => pick(node, isWhole)}
              />
            </div>
          )
        )
      })}
      <div style={{ height: after }} />
    </div>
  )
}

/** How far the tree is scrolled to show a line that begins at `top`: no further than it has to be. */
function topFor(tree: HTMLElement, top: number): number {
  const least = top + lineHeight - tree.clientHeight
  return Math.min(Math.max(tree.scrollTop, least), top)
}

const isRead = (node: TreeNode, unread: ReadonlySet<string>, { isCut }: SourceCoverage) =>
  !node.count && !isCut && !unread.has(placeOf(node.path))

interface TreeLineProps {
  node: TreeNode
  isRead: boolean
  onToggle: () => void
  onPick: (isWhole: boolean) => void
}

/** The keys of the tree do what its buttons do, so that these are for the mouse alone. */
function TreeLine({ node, isRead, onToggle, onPick }: TreeLineProps) {
  const { name, value, count, isOpen, path } = node
  const isInList = typeof path.at(-1) === 'number'
  return (
    <>
      {count ? (
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          className={classes['fold']}
          data-open={isOpen || undefined}
          onClick={onToggle}
        >
          ▸
        </button>
      ) : (
        <span className={classes['fold']} />
      )}
      <button
        type="button"
        tabIndex={-1}
        className={classes['pick']}
        title={count ? 'Map each value in it' : 'Click to add a mapping row'}
        onClick={() => onPick(false)}
      >
        {path.length === 0 ? (
          <span className={classes['count']}>Everything</span>
        ) : (
          <span className={isInList ? classes['count'] : classes['name']}>{escaped(name)}</span>
        )}
        {count === undefined ? (
          <span className={classes['value']} data-kind={typeof value}>
            {plainText(value)}
          </span>
        ) : (
          <span className={classes['count']}>
            {Array.isArray(value) ? `[${count}]` : `{${count}}`}
          </span>
        )}
      </button>
      {isRead && (
        <span className={classes['read']} title="A row reads it">
          ✓
        </span>
      )}
      {count !== undefined && count > 0 && path.length > 0 && (
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          className={classes['whole']}
          title="Map it as one value (Shift+Enter)"
          onClick={() => onPick(true)}
        >
          {Array.isArray(value) ? '[ ]' : '{ }'}
        </button>
      )}
    </>
  )
}
