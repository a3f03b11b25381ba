/** Icons next to text. Screen readers ignore them. */

const paths = {
  down: 'M4 6l4 4 4-4',
  left: 'M10 4L6 8l4 4',
  right: 'M6 4l4 4-4 4',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3.5 8.5l3 3 6-7',
  rise: 'M4 12L12 4M6 4h6v6',
  fall: 'M4 4l8 8M12 6v6H6',
  search: 'M7 2.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9M10.5 10.5L14 14',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5v3M10.5 2.5v3',
  filter: 'M2.5 3.5h11L9.5 8.5v5l-3-1.5v-3.5z',
  save: 'M8 2.5v8M4.5 7L8 10.5 11.5 7M3 13.5h10',
  edit: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3z',
  plus: 'M8 3v10M3 8h10',
  note: 'M3 2.5h10v8H7.5l-3 3v-3H3z',
  list: 'M3 4h10M3 8h10M3 12h6',
} as const

export function Icon({ name }: { readonly name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
