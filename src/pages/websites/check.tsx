interface CheckProps {
  readonly name: string
  readonly isOn: boolean
  readonly children: { readonly name: string; readonly shows: string }
}

/** A box to tick, with what it shows. */
export const Check = ({ name, isOn, children }: CheckProps) => (
  <label class="check">
    <input type="checkbox" name={name} defaultChecked={isOn} />
    <span>
      {children.name} <small class="quiet">{children.shows}</small>
    </span>
  </label>
)
