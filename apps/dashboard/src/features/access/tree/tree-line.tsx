import { IconChevronRight } from '@tabler/icons-react'
import { memo } from 'react'
import classes from './access-tree.module.css'

export type BoxState = 'true' | 'false' | 'mixed'

interface TreeLineProps {
  id: string
  line: number
  height: number
  level: 1 | 2
  name: string
  /** What tells it apart, or how much of it is chosen. */
  more: string
  isCode?: boolean
  state: BoxState
  /** Of an API. */
  isOpen?: boolean | undefined
  isActive: boolean
  isDisabled: boolean
  place: number
  placeOf: number
}

/** One line of the tree; the tree takes its clicks. Drawn again only where something in it has changed. */
export const TreeLine = memo(function TreeLine(props: TreeLineProps) {
  const { id, line, height, level, name, more, isOpen, isCode = false } = props
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-checked={props.state === 'mixed' ? 'mixed' : props.state === 'true'}
      aria-expanded={isOpen}
      aria-setsize={props.placeOf}
      aria-posinset={props.place}
      aria-disabled={props.isDisabled || undefined}
      className={classes['line']}
      style={{ top: line * height, height }}
      data-line={line}
      data-active={props.isActive || undefined}
    >
      {isOpen !== undefined && (
        <span className={classes['turn']} data-turn>
          <IconChevronRight size={16} aria-hidden />
        </span>
      )}
      <span className={classes['box']} data-box />
      <span className={classes['texts']}>
        <span className={classes['name']} title={name}>
          <bdi>{name}</bdi>
        </span>{' '}
        <span className={classes['more']} title={more}>
          {isCode ? <bdi dir="ltr">{more}</bdi> : more}
        </span>
      </span>
    </div>
  )
})
