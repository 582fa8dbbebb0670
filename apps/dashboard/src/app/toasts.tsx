import { useComputedColorScheme } from '@mantine/core'
import { ToastContainer } from 'react-toastify'

/** The library's defaults are the spec's (spec: limits): top-right, 5000 ms, Alt+T, drag-dismiss at 80 %. */
export function ToastPlace() {
  const colorScheme = useComputedColorScheme('light')
  return <ToastContainer theme={colorScheme} />
}
