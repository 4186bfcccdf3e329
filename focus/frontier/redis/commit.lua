-- worker, this call, lesson, and names and lengths of files
tell(ARGV[first], ARGV[first + 1], ARGV[first + 2], first + 3)
return {'ok'}
