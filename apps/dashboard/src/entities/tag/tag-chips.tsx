import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import classes from './tag-chips.module.css'

interface TagChipsProps {
  tags: readonly string[]
  /** The list that a tag narrows. */
  listPath: string
}

/** The tags of a record; each leads to the records that have it. */
export function TagChips({ tags, listPath }: TagChipsProps) {
  if (tags.length === 0) return null
  return (
    <span className={classes['chips']}>
      {tags.map((tag) => (
        <Anchor
          key={tag}
          component={Link}
          to={`${listPath}?tag=${encodeURIComponent(tag)}`}
          className={classes['chip'] ?? ''}
        >
          {tag}
        </Anchor>
      ))}
    </span>
  )
}
