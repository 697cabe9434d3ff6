/**
 * Gives an object a method of its own. An assignment would throw where Moddable's linker has frozen the prototype that has a method
 * of that name, as it has in each preloaded module.
 */
export function ownMethod<Owner, Name extends keyof Owner & string>(
  owner: Owner,
  name: Name,
  value: Owner[Name],
): void {
  Object.defineProperty(owner, name, { value, writable: true, enumerable: true, configurable: true });
}
