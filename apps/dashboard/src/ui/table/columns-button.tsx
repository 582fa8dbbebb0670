import { Button, type ButtonProps } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'

export function ColumnsButton(props: ButtonProps & ComponentPropsWithRef<'button'>) {
  return (
    <Button variant="default" ms="auto" px="sm" leftSection={<IconColumns3 size={16} />} {...props}>
      Columns
    </Button>
  )
}
