import { useComputedColorScheme } from '@mantine/core'
import { ToastContainer } from 'react-toastify'
import { direction } from '../lib/format/language.ts'
import './toasts.css'

/** The library's defaults are the spec's (spec: limits): top-right, 5000 ms, Alt+T, drag-dismiss at 80 %. From right to left, the corner is the other one. */
export function ToastPlace() {
  const colorScheme = useComputedColorScheme('light')
  return (
    <ToastContainer
      theme={colorScheme}
      {...(direction === 'rtl' && { rtl: true, position: 'top-left' })}
    />
  )
}
