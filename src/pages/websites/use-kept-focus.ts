import { useLayoutEffect, useRef } from 'preact/hooks'

/** An element that moves the focus to its first field or button when `state` changes its content. */
export function useKeptFocus<Root extends HTMLElement>(state: unknown) {
  const [root, before] = [useRef<Root>(null), useRef(state)]
  useLayoutEffect(() => {
    if (before.current !== state) root.current?.querySelector<HTMLElement>('input, button')?.focus()
    before.current = state
  }, [state])
  return root
}
